import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.ServletContext;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Greets the readers of a library, remembers them for as long as a session lasts, and keeps their loans. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        org.eclipse.jetty.server.Server server = new org.eclipse.jetty.server.Server(new QueuedThreadPool(8));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.getSessionHandler().setMaxInactiveInterval(20 * 60);
        context.setInitParameter("library", "the town's library");
        context.addServlet(new ServletHolder(new Welcome()), "/welcome");
        context.addServlet(new ServletHolder(new Loans()), "/loans/*");
        context.addServlet(new ServletHolder(new Visit()), "/visit");
        context.addServlet(new ServletHolder(new About()), "/about");
        server.setHandler(context);
        server.start();
        server.join();
    }

    private static String reader(HttpServletRequest request) {
        String asked = request.getParameter("reader");
        if (asked == null && request.getCookies() != null) {
            for (Cookie cookie : request.getCookies()) {
                asked = cookie.getName().equals("reader") ? cookie.getValue() : asked;
            }
        }
        return asked == null ? "you" : asked;
    }

    /** Says hello, and gives a cookie to whoever wants to be known again. */
    private static final class Welcome extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String reader = reader(request);
            if (request.getParameter("remember") != null) {
                Cookie cookie = new Cookie("reader", reader);
                cookie.setPath("/");
                if (request.getParameter("remember").equals("visit")) {
                    cookie.setMaxAge(getServletContext().getSessionTimeout() * 60);
                } else {
                    cookie.setMaxAge(Integer.parseInt(request.getParameter("remember")) * 24 * 60 * 60);
                }
                response.addCookie(cookie);
            }
            response.getWriter().print("hello " + reader);
        }
    }

    /** Who has which book. */
    private static final class Loans extends HttpServlet {
        private final Map<String, String> loans = new ConcurrentHashMap<>();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String reader = loans.get(String.valueOf(request.getPathInfo()));
            response.setStatus(reader == null ? 404 : 200);
            response.getWriter().print("lent to " + reader);
        }

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            loans.put(String.valueOf(request.getPathInfo()), reader(request));
            response.setStatus(201);
        }
    }

    /** How long someone may still stay. */
    private static final class Visit extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            long until = session.getLastAccessedTime() + session.getMaxInactiveInterval() * 1000L;
            response.getWriter().print(reader(request) + ": until " + until + ", new: " + session.isNew());
        }
    }

    /** What this is. */
    private static final class About extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletContext context = getServletContext();
            response.getWriter().print(context.getInitParameter("library") + " on " + context.getServerInfo()
                    + ", readers known by " + context.getEffectiveSessionTrackingModes());
        }
    }
}
