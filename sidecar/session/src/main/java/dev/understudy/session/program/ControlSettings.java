package dev.understudy.session.program;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The section {@code control} of a program's settings. */
final class ControlSettings {
    private ControlSettings() {}

    static Map<String, Object> of(InetAddress address, SessionTokens tokens) {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("listen", AddressText.of(address, 0));
        section.put("token", tokens.admin());
        section.put("agent-token", tokens.agent());
        return section;
    }
}
