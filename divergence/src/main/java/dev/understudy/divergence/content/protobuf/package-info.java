/**
 * Protocol Buffers and gRPC messages, read as the same values that JSON is read as, so that they are compared alike.
 */
@NullMarked
package dev.understudy.divergence.content.protobuf;

import org.jspecify.annotations.NullMarked;
