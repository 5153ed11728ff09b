package dev.understudy.aggregator.http.grpc;

import io.netty.buffer.ByteBuf;

/** What happened next in a recorded conversation. */
sealed interface Step {
    /** Production sent a message. */
    record Said(byte[] hash) implements Step {}

    /** Production's request ended. */
    record Ended() implements Step {}

    /** The server sent some bytes, which whoever takes the step releases. */
    record Told(ByteBuf bytes) implements Step {}

    /** That was all of it. */
    record Over() implements Step {}

    /** The rest can't be read back. */
    record Lost() implements Step {}
}
