package dev.understudy.session.program;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as the settings of sidecar and aggregator have them. */
final class AddressText {
    private AddressText() {}

    static String of(InetSocketAddress address) {
        return of(address.getAddress(), address.getPort());
    }

    static String of(InetAddress address, int port) {
        return address instanceof Inet6Address
                ? "[" + address.getHostAddress() + "]:" + port
                : address.getHostAddress() + ":" + port;
    }

    /** The reverse. */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, colon).replace("[", "").replace("]", "");
        return new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
    }
}
