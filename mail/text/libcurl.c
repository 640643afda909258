/*
 * libcurl.c - finding libcurl, and the connection it is given.
 */
#include "mail/text/libcurl.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

/* Lazy: of its large tables only a few entries are ever used. */
enum err libcurl_load(struct libcurl *lib, struct failure *e)
{
	const char *missing = NULL;
	void *handle;
	enum err rc =
	    library_open(library_curl, "libcurl3-gnutls", RTLD_LAZY | RTLD_LOCAL, &handle, e);

	memset(lib, 0, sizeof(*lib));
	if (rc != ERR_NONE)
		return rc;
	LIBCURL_FUNCTIONS(LIBRARY_FIND)
	if (missing)
		return err_set(e, ERR_UNSUPPORTED, "libcurl has no function %s", missing);
	if (lib->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_UNSUPPORTED, "libcurl cannot be initialised");
	return ERR_NONE;
}

/* The one socket there is, for the address that libcurl is told the name has. */
static curl_socket_t give_socket(void *data, curlsocktype purpose,
                                 struct curl_sockaddr *address)
{
	const struct libcurl_peer *peer = data;

	(void)purpose;
	(void)address;
	return peer->socket;
}

static int is_connected(void *data, curl_socket_t socket, curlsocktype purpose)
{
	(void)data;
	(void)socket;
	(void)purpose;
	return CURL_SOCKOPT_ALREADY_CONNECTED;
}

void libcurl_use_socket(const struct libcurl *lib, CURL *easy, const struct libcurl_peer *peer,
                        struct curl_slist **addresses)
{
	/* Debian's libcurl reads the folder around this file, in which each certificate lies three times: 50 ms. */
	static const char system[] = "/etc/ssl/certs/ca-certificates.crt";
	const char *ca_file = *peer->ca_file              ? peer->ca_file
	                      : access(system, R_OK) == 0 ? system
	                                                  : NULL;
	struct strbuf url = STRBUF_INIT, entry = STRBUF_INIT;
	bool is_ipv6 = strchr(peer->host, ':') != NULL;

	strbuf_addf(&url, "%s://%s%s%s:%u/%s", peer->scheme, is_ipv6 ? "[" : "", peer->host,
	            is_ipv6 ? "]" : "", (unsigned)peer->port, peer->path);
	/* Any address will do, for the name must not be looked up and nobody connects to it. */
	strbuf_addf(&entry, "%s:%u:127.0.0.1", peer->host, (unsigned)peer->port);
	*addresses = is_ipv6 ? NULL : lib->curl_slist_append(NULL, entry.ptr);
#define SET(option, value) ((void)lib->curl_easy_setopt(easy, option, value))
	SET(CURLOPT_URL, url.ptr);
	SET(CURLOPT_RESOLVE, *addresses);
	SET(CURLOPT_OPENSOCKETFUNCTION, give_socket);
	SET(CURLOPT_OPENSOCKETDATA, peer);
	SET(CURLOPT_SOCKOPTFUNCTION, is_connected);
	SET(CURLOPT_CONNECT_ONLY, 1L);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(CURLOPT_PROXY, "");
	SET(CURLOPT_NOSIGNAL, 1L);
	if (ca_file) {
		SET(CURLOPT_CAINFO, ca_file);
		SET(CURLOPT_CAPATH, NULL);
	}
#undef SET
	strbuf_release(&url);
	strbuf_release(&entry);
}

enum err libcurl_err(CURLcode code)
{
	switch ((int)code) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return ERR_DENIED;
	case CURLE_SSL_CACERT_BADFILE:
		return ERR_CONFIG;
	case CURLE_OPERATION_TIMEDOUT:
		return ERR_TIMEOUT;
	default:
		return ERR_IO;
	}
}
