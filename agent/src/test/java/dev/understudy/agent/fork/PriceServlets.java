package dev.understudy.agent.fork;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The application on servlet containers: a filter before two servlets. */
final class PriceServlets {
    private PriceServlets() {}

    /** Runs before any servlet, and is the application's own code too. */
    static final class Gate implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            response.setCharacterEncoding("UTF-8");
            HttpServletRequest asked = (HttpServletRequest) request;
            chain.doFilter("closed".equals(asked.getQueryString()) ? new Closed(asked) : request, response);
        }
    }

    /** Tells nobody of its headers. */
    private static final class Closed extends HttpServletRequestWrapper {
        Closed(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getHeader(String name) {
            if (name.equals("traceparent")) {
                throw new IllegalStateException("closed to all");
            }
            return super.getHeader(name);
        }
    }

    /** Answers when its method has returned long since: in a task of the container's, and after a dispatch. */
    static final class Later extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getAttribute("done") != null) {
                response.getWriter().print(dispatched(request));
                return;
            }
            AsyncContext later = request.startAsync();
            if (request.getPathInfo().equals("/dispatch")) {
                request.setAttribute("done", true);
                later.dispatch();
            } else if (request.getPathInfo().equals("/fail")) {
                // that a task has thrown, the container keeps to itself; a time-out that is over while it is set, Jetty
                // loses
                later.setTimeout(100);
                later.start(() -> {
                    throw new UnsupportedOperationException("later");
                });
            } else {
                later.start(() -> complete(later));
            }
        }

        /** Not so small that it isn't woven. */
        static String dispatched(HttpServletRequest request) {
            return "dispatched" + (request.getAttribute("done") == null ? " never" : "");
        }

        static void complete(AsyncContext later) {
            try {
                later.getResponse().getWriter().print("later");
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            later.complete();
        }
    }

    /** Serves as many requests at the same time as meet. */
    static final class Meetings extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(Meeting.of(request.getPathInfo().substring(1)));
        }
    }

    static final class Prices extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int quantity = Integer.parseInt(request.getRequestURI().substring(1));
            if (quantity > 1000) {
                throw new IllegalArgumentException("quantity: " + quantity);
            }
            response.getWriter().print("price " + SmallServer.price(quantity));
        }
    }
}
