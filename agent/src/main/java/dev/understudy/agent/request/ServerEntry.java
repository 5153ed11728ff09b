package dev.understudy.agent.request;

import java.util.List;

/**
 * A method through which a server's thread enters the work on one HTTP request.
 *
 * <p>Entries may enclose each other: the innermost ones of the same exchange do nothing.
 */
final class ServerEntry {
    /** All servers that are known. */
    static final List<ServerEntry> ALL = List.of(
            new ServerEntry(
                    "com/sun/net/httpserver/Filter$Chain",
                    "doFilter",
                    "(Lcom/sun/net/httpserver/HttpExchange;)V",
                    "com.sun.net.httpserver.HttpExchange",
                    "getRequestHeaders.getFirst"),
            servlet("jakarta", "jakarta/servlet/http/HttpServlet", "service"),
            servlet("javax", "javax/servlet/http/HttpServlet", "service"),
            servlet("jakarta", "org/apache/catalina/core/ApplicationFilterChain", "doFilter"),
            servlet("javax", "org/apache/catalina/core/ApplicationFilterChain", "doFilter"));

    /** The declaring class, with slashes. */
    final String className;

    final String method;
    /** The method's descriptor; its first parameter is the request. */
    final String descriptor;
    /** The request's type when it is an HTTP request, with dots. */
    final String request;
    /** The getters from the request to a header by name, separated by dots. */
    final String getters;

    private ServerEntry(String className, String method, String descriptor, String request, String getters) {
        this.className = className;
        this.method = method;
        this.descriptor = descriptor;
        this.request = request;
        this.getters = getters;
    }

    private static ServerEntry servlet(String house, String className, String method) {
        return new ServerEntry(
                className,
                method,
                "(L" + house + "/servlet/ServletRequest;L" + house + "/servlet/ServletResponse;)V",
                house + ".servlet.http.HttpServletRequest",
                "getHeader");
    }
}
