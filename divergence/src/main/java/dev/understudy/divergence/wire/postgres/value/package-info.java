/**
 * PostgreSQL's values in their two encodings: what the server would have sent in the other format.
 *
 * <p>{@link dev.understudy.divergence.wire.postgres.value.PgValues} is the way in; a type has one codec, and what no
 * codec knows stays as it is. All figures and layouts are those of the types' send and output functions, checked
 * against a real server.
 */
@NullMarked
package dev.understudy.divergence.wire.postgres.value;

import org.jspecify.annotations.NullMarked;
