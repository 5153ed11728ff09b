package dev.understudy.it.docs;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.config.Section;
import dev.understudy.sidecar.config.SidecarConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Function;

/** How the two programs read the top section of their settings; the methods for it are their own. */
final class ConfigReaders {
    private ConfigReaders() {}

    static Function<Section, Object> sidecar() {
        return reader(SidecarConfig.class);
    }

    static Function<Section, Object> aggregator() {
        return reader(AggregatorConfig.class);
    }

    private static Function<Section, Object> reader(Class<?> type) {
        Method read = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == type
                        && Arrays.equals(method.getParameterTypes(), new Class<?>[] {Section.class}))
                .findFirst()
                .orElseThrow();
        read.setAccessible(true);
        return section -> {
            try {
                return read.invoke(null, section);
            } catch (InvocationTargetException failed) {
                throw new IllegalStateException(failed.getCause());
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            }
        };
    }
}
