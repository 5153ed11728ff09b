package dev.understudy.relay.accept;

import io.netty.util.NetUtil;
import java.net.InetAddress;

/**
 * A range of addresses, written {@code 10.0.0.0/8}, {@code fd00::/8}, or as one address.
 *
 * @param first any address of the range
 * @param bits how many leading bits all its addresses share
 */
public record Subnet(InetAddress first, int bits) {
    public Subnet {
        int most = first.getAddress().length * Byte.SIZE;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("bits: " + bits + " (expected: 0 to " + most + ")");
        }
    }

    /**
     * Reads one; names aren't looked up.
     *
     * @throws IllegalArgumentException if it isn't one
     */
    public static Subnet parse(String spelled) {
        int slash = spelled.indexOf('/');
        InetAddress first =
                NetUtil.createInetAddressFromIpAddressString(slash < 0 ? spelled : spelled.substring(0, slash));
        if (first == null) {
            throw new IllegalArgumentException(spelled + " (expected: an address, or a range such as 10.0.0.0/8)");
        }
        int all = first.getAddress().length * Byte.SIZE;
        return new Subnet(first, slash < 0 ? all : Integer.parseInt(spelled.substring(slash + 1)));
    }

    /** Whether {@code address} is in it; an IPv4 address is in no IPv6 range and the other way round. */
    public boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] its = address.getAddress();
        if (mine.length != its.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += Byte.SIZE) {
            int mask = bits - bit >= Byte.SIZE ? 0xff : 0xff << (Byte.SIZE - (bits - bit));
            if (((mine[bit / Byte.SIZE] ^ its[bit / Byte.SIZE]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }
}
