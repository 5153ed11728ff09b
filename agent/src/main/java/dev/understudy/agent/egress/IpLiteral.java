package dev.understudy.agent.egress;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Addresses as they are written in settings (RFC 4291, section 2.2): four decimal numbers, or IPv6 without a scope.
 *
 * <p>Not the JDK's: its classes read, once for all, properties that the application may be about to set. It also takes
 * short forms such as {@code 127.1}, and asks the network about everything else. Stateless.
 */
final class IpLiteral {
    private static final int GROUPS = 8;
    private static final int BYTES_OF_MAPPED = 12;

    private IpLiteral() {}

    /** The 4 or 16 bytes, of a mapped IPv4 address its 4; null if the text is no address. */
    static byte @Nullable [] parse(String text) {
        return text.indexOf(':') < 0 ? four(text) : sixteen(text);
    }

    private static byte @Nullable [] four(String text) {
        String[] parts = text.split("\\.", -1);
        byte[] bytes = new byte[4];
        if (parts.length != bytes.length) {
            return null;
        }
        for (int i = 0; i < bytes.length; i++) {
            int number = decimal(parts[i], 255);
            if (number < 0) {
                return null;
            }
            bytes[i] = (byte) number;
        }
        return bytes;
    }

    /** The number from 0 on that is written without leading zeros; -1 if none is, or it is too large. */
    static int decimal(String digits, int most) {
        int number =
                digits.isEmpty() || digits.length() > 5 || (digits.length() > 1 && digits.charAt(0) == '0') ? -1 : 0;
        for (int i = 0; i < digits.length() && number >= 0; i++) {
            int digit = digits.charAt(i) - '0';
            number = digit < 0 || digit > 9 ? -1 : 10 * number + digit;
        }
        return number > most ? -1 : number;
    }

    private static byte @Nullable [] sixteen(String text) {
        int gap = text.indexOf("::");
        byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        byte[] tail = gap < 0 ? new byte[0] : groups(text.substring(gap + 2), true);
        if (head == null || tail == null) {
            return null;
        }
        int given = head.length + tail.length;
        if (gap < 0 ? given != 2 * GROUPS : given > 2 * (GROUPS - 1)) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(head, 2 * GROUPS);
        System.arraycopy(tail, 0, bytes, bytes.length - tail.length, tail.length);
        return unmapped(bytes);
    }

    /** Groups of hexadecimal digits; the last two of an address may be written as IPv4. */
    private static byte @Nullable [] groups(String text, boolean toTheEnd) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] parts = text.split(":", -1);
        byte[] bytes = new byte[2 * Math.min(parts.length, GROUPS) + 2];
        int length = 0;
        for (int i = 0; i < parts.length && i < GROUPS; i++) {
            byte[] part =
                    toTheEnd && i == parts.length - 1 && parts[i].indexOf('.') > 0 ? four(parts[i]) : group(parts[i]);
            if (part == null) {
                return null;
            }
            System.arraycopy(part, 0, bytes, length, part.length);
            length += part.length;
        }
        return parts.length > GROUPS ? null : Arrays.copyOf(bytes, length);
    }

    private static byte @Nullable [] group(String digits) {
        int group = 0;
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            int value = digit < 128 ? Character.digit(digit, 16) : -1;
            if (value < 0) {
                return null;
            }
            group = 16 * group + value;
        }
        boolean right = !digits.isEmpty() && digits.length() <= 4;
        return right ? new byte[] {(byte) (group >> 8), (byte) group} : null;
    }

    /** An IPv4 address that is written as one of IPv6 is the same; so Java has it. */
    static byte[] unmapped(byte[] address) {
        if (address.length != 2 * GROUPS) {
            return address;
        }
        for (int i = 0; i < BYTES_OF_MAPPED; i++) {
            if (address[i] != (i < BYTES_OF_MAPPED - 2 ? 0 : (byte) 0xFF)) {
                return address;
            }
        }
        return Arrays.copyOfRange(address, BYTES_OF_MAPPED, address.length);
    }
}
