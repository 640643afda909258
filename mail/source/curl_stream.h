/*
 * curl_stream.h - a connection to a mail server: libcurl secures it, libetpan speaks over it.
 *
 * libetpan's own TLS checks no certificate and sends no server name; libcurl does both. So
 * libcurl is given a connected socket, verifies certificate and host name against the system's
 * authorities or those of a file, and hands over a stream of bytes; with any doubt about the server no byte is
 * sent. Private to the fetching child.
 */
#ifndef MOLEPOST_MAIL_SOURCE_CURL_STREAM_H
#define MOLEPOST_MAIL_SOURCE_CURL_STREAM_H

#include <libetpan/mailimap.h>
#include <libetpan/mailpop3.h>
#include <libetpan/mailstream.h>
#include <libetpan/mmapstring.h>
#include <libetpan/namespace.h>
#include <libetpan/uidplus.h>

#include "mail/text/libcurl.h"

/* libetpan's IMAP and POP3, and libcurl, loaded in the fetching child. */
#define NET_ETPAN_FUNCTIONS(X)                              \
	X(mailstream_low_new)                               \
	X(mailstream_new)                                   \
	X(mailstream_write)                                 \
	X(mailstream_flush)                                 \
	X(mailstream_read_line)                             \
	X(mmap_string_new)                                  \
	X(mmap_string_free)                                 \
	X(mmap_string_set_ceil)                             \
	X(mailimap_new)                                     \
	X(mailimap_free)                                    \
	X(mailimap_connect)                                 \
	X(mailimap_login)                                   \
	X(mailimap_oauth2_authenticate)                     \
	X(mailimap_send_current_tag)                        \
	X(mailimap_read_line)                               \
	X(mailimap_parse_response)                          \
	X(mailimap_response_free)                           \
	X(mailimap_logout)                                  \
	X(mailimap_noop)                                    \
	X(mailimap_select)                                  \
	X(mailimap_create)                                  \
	X(mailimap_list)                                    \
	X(mailimap_list_result_free)                        \
	X(mailimap_namespace)                               \
	X(mailimap_namespace_data_free)                     \
	X(mailimap_subscribe)                               \
	X(mailimap_capability)                              \
	X(mailimap_capability_data_free)                    \
	X(mailimap_has_extension)                           \
	X(mailimap_has_uidplus)                             \
	X(mailimap_idle_get_fd)                             \
	X(mailimap_fetch)                                   \
	X(mailimap_uid_fetch)                               \
	X(mailimap_fetch_list_free)                         \
	X(mailimap_uid_store)                               \
	X(mailimap_uid_expunge)                             \
	X(mailimap_uidplus_uid_copy)                        \
	X(mailimap_uidplus_uid_move)                        \
	X(mailimap_set_new_empty)                           \
	X(mailimap_set_add_interval)                        \
	X(mailimap_set_free)                                \
	X(mailimap_section_new)                             \
	X(mailimap_fetch_att_new_uid)                       \
	X(mailimap_fetch_att_new_rfc822_size)               \
	X(mailimap_fetch_att_new_internaldate)              \
	X(mailimap_fetch_att_new_body_peek_section)         \
	X(mailimap_fetch_att_new_body_peek_section_partial) \
	X(mailimap_fetch_type_new_fetch_att_list_empty)     \
	X(mailimap_fetch_type_new_fetch_att_list_add)       \
	X(mailimap_fetch_type_free)                         \
	X(mailimap_flag_list_new_empty)                     \
	X(mailimap_flag_list_add)                           \
	X(mailimap_flag_new_deleted)                        \
	X(mailimap_store_att_flags_new_add_flags_silent)    \
	X(mailimap_store_att_flags_free)                    \
	X(mailpop3_new)                                     \
	X(mailpop3_free)                                    \
	X(mailpop3_connect)                                 \
	X(mailpop3_user)                                    \
	X(mailpop3_pass)                                    \
	X(mailpop3_list)                                    \
	X(mailpop3_retr)                                    \
	X(mailpop3_retr_free)                               \
	X(mailpop3_top)                                     \
	X(mailpop3_top_free)                                \
	X(mailpop3_dele)                                    \
	X(mailpop3_quit)

struct net_libs {
	struct libcurl curl;
	NET_ETPAN_FUNCTIONS(LIBRARY_MEMBER)
};

/* ERR_UNSUPPORTED: a library, or one function of it, is not there. Nothing is ever unloaded. */
enum err net_libs_load(struct net_libs *lib, struct failure *e) MUST_CHECK;

struct curl_stream_peer {
	const char *host;
	uint16_t port;
	bool is_tls;
	const char *ca_file; /* "" = the system's */
	unsigned timeout_s;  /* for TLS, and for each answer */
};

struct curl_stream;

/*
 * `socket` is connected to the peer, and belongs to the stream from here on, whatever is returned.
 * ERR_DENIED: the certificate is not good, or not for this host; ERR_TIMEOUT, ERR_IO, ERR_CONFIG
 * (the file of authorities cannot be read). Strings of `peer` are borrowed for the call.
 */
enum err curl_stream_open(const struct net_libs *libs, const struct curl_stream_peer *peer,
                          int socket, struct curl_stream **out, struct failure *e) MUST_CHECK;
void curl_stream_close(struct curl_stream *w); /* NULL is fine */
/* A new stream over the connection; the protocol handler that gets it frees it. */
mailstream *curl_stream_etpan(struct curl_stream *w);
/* Why reading or writing failed last. */
enum err curl_stream_why(const struct curl_stream *w, struct failure *e);

#endif
