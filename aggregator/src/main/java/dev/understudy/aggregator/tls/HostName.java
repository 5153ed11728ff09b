package dev.understudy.aggregator.tls;

import io.netty.util.NetUtil;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A name or an address by which a debug port is reached, as certificates have it.
 *
 * @param spelled in lower case; an address in digits
 */
record HostName(String spelled) {
    private static final int DNS = 2;
    private static final int ADDRESS = 7;
    private static final int LONGEST = 253;

    /**
     * Reads one; names aren't looked up.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static HostName parse(String written) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(written);
        if (address != null) {
            return new HostName(NetUtil.bytesToIpAddress(address));
        }
        String name = IDN.toASCII(written, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        if (!name.matches("(\\*\\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?") || name.length() > LONGEST) {
            throw new IllegalArgumentException(written + " (expected: a host name or an address)");
        }
        return new HostName(name);
    }

    /** Whether it is a name or an address that certificates can have. */
    static boolean fits(String written) {
        try {
            return !parse(written).spelled().isEmpty();
        } catch (IllegalArgumentException unfit) {
            return false;
        }
    }

    /** Its entry under a certificate's subject alternative names. */
    byte[] alternative() {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(spelled);
        return address == null
                ? Der.plainTagged(DNS, spelled.getBytes(StandardCharsets.US_ASCII))
                : Der.plainTagged(ADDRESS, address);
    }
}
