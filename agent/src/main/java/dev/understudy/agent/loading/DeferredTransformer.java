package dev.understudy.agent.loading;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the place of a transformer, whose order with the others counts, until there is something for it to do; does
 * nothing before that. Safe for any threads.
 */
public final class DeferredTransformer implements ClassFileTransformer {
    private volatile @Nullable ClassFileTransformer transformer;

    /** From now on it does what this one does. */
    public void becomes(ClassFileTransformer known) {
        transformer = known;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile)
            throws java.lang.instrument.IllegalClassFormatException {
        ClassFileTransformer known = transformer;
        return known == null ? null : known.transform(loader, name, redefined, domain, classFile);
    }
}
