/**
 * How the replies of two SQL servers to the same request differ, whatever the protocol.
 *
 * <pre>
 *  a framer ─▶ SqlReplyCapture ─▶ SqlReply: SqlResult (SqlColumn, SqlRows, SqlNotice) ─▶ SqlComparison ─▶ Verdict
 *                                                        SqlRows: rows as sent, or RowHashes of too many
 *                                                                  ResultComparison ─▶ RowComparison
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.compare.sql;

import org.jspecify.annotations.NullMarked;
