package dev.understudy.session.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Pairs of addresses for a link, from ranges that no router forwards.
 *
 * <p>RFC 3927 for the first, RFC 2544 for the second. Private ones come last: they may be in use behind a router, where
 * this machine can't see them.
 */
final class LinkAddresses {
    private static final int TRIES = 48;

    /** Third numbers in 169.254: ends of the range, and those of metadata and name servers of clouds and clusters. */
    private static final Set<Integer> TAKEN = Set.of(0, 20, 25, 169, 170, 171, 255);

    private LinkAddresses() {}

    /**
     * Pairs to try, in this order.
     *
     * @param routes the lines of {@code ip route show table all}
     * @param seed differs from session to session
     */
    static List<Integer> candidates(List<String> routes, long seed) {
        List<long[]> used = new ArrayList<>();
        routes.forEach(line -> addRange(line, used));
        Random random = new Random(seed);
        List<Integer> free = new ArrayList<>();
        for (int range = 0; range < 3; range++) {
            for (int n = 0; n < TRIES; n++) {
                int first = candidate(range, random);
                if (used.stream().noneMatch(each -> (first | 1L) >= each[0] && first <= each[1])) {
                    free.add(first);
                }
            }
        }
        return free;
    }

    private static int candidate(int range, Random random) {
        int low = random.nextInt(1 << 16) & ~1;
        return switch (range) {
            case 0 -> TAKEN.contains(low >> 8) ? candidate(range, random) : (169 << 24) | (254 << 16) | low;
            case 1 -> (198 << 24) | ((18 + random.nextInt(2)) << 16) | low;
            default -> (10 << 24) | (random.nextInt(256) << 16) | low;
        };
    }

    /** The range of a line's destination, both ends as numbers; the default route has none. */
    private static void addRange(String line, List<long[]> used) {
        for (String word : line.strip().split(" +", 3)) {
            String[] parts = word.split("/", 2);
            if (parts[0].matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
                try {
                    long address = number(InetAddress.getByName(parts[0]));
                    int length = parts.length == 2 && parts[1].matches("[0-9]{1,2}") ? Integer.parseInt(parts[1]) : 32;
                    if (length > 0) {
                        used.add(new long[] {toInt(address), toInt(address + (1L << (32 - length)) - 1)});
                    }
                } catch (UnknownHostException damaged) {
                    return;
                }
                return;
            }
        }
    }

    private static long toInt(long address) {
        return (int) address;
    }

    private static long number(InetAddress address) {
        long number = 0;
        for (byte each : address.getAddress()) {
            number = (number << 8) | (each & 0xff);
        }
        return number;
    }

    /** The address of a number. */
    static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
