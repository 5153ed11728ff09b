/**
 * The wire protocols whose byte streams can be framed into exchanges, one package each.
 */
@NullMarked
package dev.understudy.divergence.wire;

import org.jspecify.annotations.NullMarked;
