package dev.understudy.mcp.command;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code HOST:PORT}, or a port alone for loopback. */
final class ListenAddress implements ITypeConverter<InetSocketAddress> {
    private static final int MOST = 65_535;

    @Override
    public InetSocketAddress convert(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon).replaceAll("^\\[(.*)]$", "$1");
        String number = text.substring(colon + 1);
        if (!number.matches("\\d{1,5}") || Integer.parseInt(number) > MOST || host.isBlank()) {
            throw new TypeConversionException(text + " (expected: HOST:PORT, such as 127.0.0.1:8808)");
        }
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(number));
        if (address.isUnresolved()) {
            throw new TypeConversionException(text + " (no such host; expected: such as 127.0.0.1:8808)");
        }
        return address;
    }
}
