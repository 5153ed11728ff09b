package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many bytes a page of memory has, as the kernel said when this process began (getauxval(3)). */
public final class PageSize {
    private static final int USUAL = 4096;
    private static final long AT_PAGESZ = 6;

    private PageSize() {}

    /**
     * Reads it.
     *
     * @param auxv {@code /proc/self/auxv}
     * @return 4096 if it isn't said there
     */
    public static int read(Path auxv) {
        try {
            ByteBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(auxv)).order(ByteOrder.nativeOrder());
            while (pairs.remaining() >= 16) {
                long type = pairs.getLong();
                long value = pairs.getLong();
                if (type == AT_PAGESZ && value >= 1024 && value <= 1 << 20) {
                    return (int) value;
                }
            }
        } catch (IOException unknown) {
            // a kernel without it has the usual one
        }
        return USUAL;
    }
}
