package dev.understudy.aggregator.http.grpc;

import io.netty.buffer.ByteBuf;

/** What happened next in a recorded conversation. */
sealed interface GrpcStep {
    /** Production sent a message. */
    record Said(byte[] hash) implements GrpcStep {}

    /** Production's request ended. */
    record Ended() implements GrpcStep {}

    /** The server sent some bytes, which whoever takes the step releases. */
    record Told(ByteBuf bytes) implements GrpcStep {}

    /** That was all of it. */
    record Over() implements GrpcStep {}

    /** The rest can't be read back. */
    record Lost() implements GrpcStep {}
}
