package dev.understudy.agent.loading;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A transformer whose work counts only in class loaders that find the bootstrap part; safe for any threads if that is.
 */
final class Reaching implements ClassFileTransformer {
    private final Reach reach;
    private final ClassFileTransformer transformer;

    Reaching(Reach reach, ClassFileTransformer transformer) {
        this.reach = reach;
        this.transformer = transformer;
    }

    /** Asks the loader last: of most classes nothing is woven. */
    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        try {
            byte[] woven = transformer.transform(loader, name, redefined, domain, classFile);
            return woven != null && reach.reaches(loader) ? woven : null;
        } catch (Throwable problem) {
            return null; // the loader's own trouble, which whoever loads the class will meet
        }
    }
}
