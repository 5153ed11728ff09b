/**
 * PostgreSQL's protocol as lanes see it: the start of a connection, each simple query, each batch up to its Sync, the
 * data of a COPY.
 *
 * <pre>
 * client's bytes ─▶ PgRequestStream ─▶ PgStatements ─▶ PgRequest (what it runs, and what is answered in which order)
 * replies' bytes ─▶ PgReplyStream   ─▶ PgReplyCopy  ─▶ PgResults (columns, rows, tags, errors: divergence.compare.sql)
 * </pre>
 *
 * <p>Both sides' replies are walked along the same request. A password that production was given goes to the debug
 * server only if that asks for one, too.
 */
@NullMarked
package dev.understudy.sidecar.frame.postgres;

import org.jspecify.annotations.NullMarked;
