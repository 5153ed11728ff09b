package dev.understudy.session.bundle;

import java.util.regex.Pattern;

/** What every bundle keeps to, whoever made it. */
final class BundleLimits {
    static final int FORMAT = 1;

    static final String MANIFEST = "manifest.json";
    static final String RECORDING = "recording.understudy";
    static final String UPSTREAMS = "upstreams.json";
    static final String NOISE = "noise.yaml";

    /** Of the manifest, which can't list it. */
    static final String SIGNATURE = "manifest.sig";

    static final String JOURNAL = "journal/";

    /** Bytes of all entries, unpacked: below what a zip needs longer fields for. */
    static final long MOST_BYTES = 4_000_000_000L;

    /** Bytes of an encrypted bundle: the packed entries, their list, and what encryption adds. */
    static final long MOST_ENCRYPTED = MOST_BYTES + (64 << 20);

    static final int MOST_ENTRIES = 4096;

    /** Bytes of the manifest, and of each text that describes something. */
    static final int MOST_TEXT = 2 << 20;

    /** Bytes of the zip's own list of its entries. */
    static final int MOST_DIRECTORY = 2 << 20;

    /** How many times a larger entry may become longer when it is unpacked; what would be more is stored as it is. */
    static final int MOST_RATIO = 200;

    static final long FREE_OF_RATIO = 1 << 20;

    private static final Pattern PART = Pattern.compile("journal/([A-Za-z0-9%._*+-]{1,300})/(large/)?[a-z0-9-]{1,60}");

    private BundleLimits() {}

    /** Whether an entry may have that name; no such name leads out of a directory. */
    static boolean isName(String name) {
        return name.equals(RECORDING) || name.equals(UPSTREAMS) || name.equals(NOISE) || isJournal(name);
    }

    /** Whether it is a file of an upstream's journal. */
    static boolean isJournal(String name) {
        var part = PART.matcher(name);
        return part.matches() && !part.group(1).matches("\\.{1,2}");
    }

    /** Whether unpacking makes so much of so little that nothing honest is there. */
    static boolean isBomb(long bytes, long packed) {
        return bytes > FREE_OF_RATIO && bytes / MOST_RATIO > packed;
    }
}
