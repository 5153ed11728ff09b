package dev.understudy.session.network;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The two versions of the internet protocol, each with a packet filter of its own. */
enum IpFamily {
    V4("iptables", "/proc/net/ip_tables_names"),
    V6("ip6tables", "/proc/net/ip6_tables_names");

    private final String program;
    private final String legacyTables;

    IpFamily(String program, String legacyTables) {
        this.program = program;
        this.legacyTables = legacyTables;
    }

    static IpFamily of(InetAddress address) {
        return address instanceof Inet6Address ? V6 : V4;
    }

    /** The packet filter's program. */
    String program() {
        return program;
    }

    /** Where the kernel lists the tables that the older packet filter has in a network. */
    String legacyTables() {
        return legacyTables;
    }

    /** An address without its interface. */
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    /** An address and a port, as the packet filter has them. */
    static String text(InetAddress address, int port) {
        return of(address) == V6 ? "[" + text(address) + "]:" + port : text(address) + ":" + port;
    }

    static String text(InetSocketAddress address) {
        return text(address.getAddress(), address.getPort());
    }
}
