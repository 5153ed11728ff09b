package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Makes method handles of chains of public getters, which are named with dots between them. */
final class Getters {
    private Getters() {}

    /** {@code (Object)String}: the last getter takes a header's name. */
    static MethodHandle of(MethodHandles.Lookup caller, Class<?> request, String getters, String header)
            throws ReflectiveOperationException {
        int last = getters.lastIndexOf('.');
        MethodHandle chain =
                last < 0 ? MethodHandles.identity(request) : chain(caller, request, getters.substring(0, last));
        MethodHandle named = caller.findVirtual(
                chain.type().returnType(),
                getters.substring(last + 1),
                MethodType.methodType(String.class, String.class));
        chain = MethodHandles.filterReturnValue(chain, MethodHandles.insertArguments(named, 1, header));
        return chain.asType(MethodType.methodType(String.class, Object.class));
    }

    /** {@code (Object)int}: the last getter returns an int. */
    static MethodHandle number(MethodHandles.Lookup caller, Class<?> first, String getters)
            throws ReflectiveOperationException {
        return chain(caller, first, getters).asType(MethodType.methodType(int.class, Object.class));
    }

    private static MethodHandle chain(MethodHandles.Lookup caller, Class<?> first, String getters)
            throws ReflectiveOperationException {
        MethodHandle chain = MethodHandles.identity(first);
        for (String name : getters.split("\\.", -1)) {
            Class<?> type = chain.type().returnType();
            Method getter = type.getMethod(name);
            MethodType signature = MethodType.methodType(getter.getReturnType());
            chain = MethodHandles.filterReturnValue(chain, caller.findVirtual(type, name, signature));
        }
        return chain;
    }
}
