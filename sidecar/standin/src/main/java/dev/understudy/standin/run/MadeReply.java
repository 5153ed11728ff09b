package dev.understudy.standin.run;

/**
 * A reply of a stand-in.
 *
 * @param contentType of its body; empty if it has none
 */
record MadeReply(int status, String contentType, byte[] body) {}
