/*
 * net_libs.h - libetpan's IMAP and POP3 and libcurl, loaded in the fetching child.
 *
 * Private to the fetch*.c of mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_NET_LIBS_H
#define MOLEPOST_MAIL_TEXT_NET_LIBS_H

#include <libetpan/mailimap.h>
#include <libetpan/mailimf.h>
#include <libetpan/mailpop3.h>
#include <libetpan/mailstream.h>
#include <libetpan/mmapstring.h>
#include <libetpan/namespace.h>
#include <libetpan/uidplus.h>

#include "mail/text/libcurl.h"

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
	X(mailpop3_quit)                                    \
	X(mailimf_date_time_parse)                          \
	X(mailimf_date_time_free)

struct net_libs {
	struct libcurl curl;
	NET_ETPAN_FUNCTIONS(LIBRARY_MEMBER)
};

/* ERR_UNSUPPORTED: a library, or one function of it, is not there. Nothing is ever unloaded. */
enum err net_libs_load(struct net_libs *lib, struct failure *e) MUST_CHECK;

#endif
