package jdk.internal.vm.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What HotSpot's compilers never copy into callers, if the class is the bootstrap loader's: by this name, which is the
 * JDK's own. It is only compiled against, and isn't in the agent's jar (agent/RATIONALE.md).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DontInline {}
