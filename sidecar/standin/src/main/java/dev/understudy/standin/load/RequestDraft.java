package dev.understudy.standin.load;

/**
 * A request as it is to be sent. Nobody changes its bytes.
 *
 * @param target path and query, percent-encoded
 * @param contentType empty if there is none
 * @param body empty if there is none
 */
public record RequestDraft(String method, String target, String contentType, byte[] body) {}
