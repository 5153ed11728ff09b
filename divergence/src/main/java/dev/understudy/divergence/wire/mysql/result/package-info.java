/**
 * What a server answers to statements: {@link dev.understudy.divergence.wire.mysql.result.ResultReader} makes results
 * of packets, {@link dev.understudy.divergence.wire.mysql.result.ResultWriter} packets of results for whatever the
 * other client has agreed on.
 */
@NullMarked
package dev.understudy.divergence.wire.mysql.result;

import org.jspecify.annotations.NullMarked;
