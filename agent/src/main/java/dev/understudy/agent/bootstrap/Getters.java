package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Makes one method handle {@code (Object)String} of a chain of public getters that ends at a named header. */
final class Getters {
    private Getters() {}

    static MethodHandle of(MethodHandles.Lookup caller, Class<?> request, String getters, String header)
            throws ReflectiveOperationException {
        String[] names = getters.split("\\.", -1);
        MethodHandle chain = MethodHandles.identity(request);
        for (int i = 0; i < names.length - 1; i++) {
            Class<?> type = chain.type().returnType();
            Method getter = type.getMethod(names[i]);
            MethodType signature = MethodType.methodType(getter.getReturnType());
            chain = MethodHandles.filterReturnValue(chain, caller.findVirtual(type, names[i], signature));
        }
        MethodHandle last = caller.findVirtual(
                chain.type().returnType(), names[names.length - 1], MethodType.methodType(String.class, String.class));
        chain = MethodHandles.filterReturnValue(chain, MethodHandles.insertArguments(last, 1, header));
        return chain.asType(MethodType.methodType(String.class, Object.class));
    }
}
