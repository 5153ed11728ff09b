package dev.understudy.sidecar.inbound;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;

/**
 * Where the aggregator is told what is being served.
 *
 * @param url base address of its control port, or "" for nowhere
 * @param token what that port asks for, or ""
 * @param debug which debug JVM the aggregator answers; "" for the only one, or the first
 */
public record LinkConfig(String url, String token, String debug) {

    /** Nobody is told. */
    public static LinkConfig none() {
        return new LinkConfig("", "", "");
    }

    /** Reads the section {@code aggregator}. */
    public static LinkConfig read(Section section) {
        return new LinkConfig(
                section.optional("url", Value.httpUrlOrEmpty(), ""),
                section.optional("token", Value.anyText(), ""),
                section.optional("debug", Value.anyText(), ""));
    }

    /** The token is a secret: it stays out of every log. */
    @Override
    public String toString() {
        return "LinkConfig[url=" + url + ", token=" + (token.isEmpty() ? "none" : "set") + ", debug=" + debug + "]";
    }
}
