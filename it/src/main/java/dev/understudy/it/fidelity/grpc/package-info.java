/** A suite for gRPC. */
@NullMarked
package dev.understudy.it.fidelity.grpc;

import org.jspecify.annotations.NullMarked;
