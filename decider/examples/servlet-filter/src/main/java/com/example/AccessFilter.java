package com.example;

import io.plat.client.Access;
import io.plat.client.AccessClient;
import io.plat.client.Answer;
import io.plat.client.UndecidedException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;

/**
 * Filter that passes on only the requests that a decider allows: those of the container's authenticated user, with the method as the verb
 * and the request path as the path. Map it to all requests, before any other filter that acts on them.
 */
public final class AccessFilter implements Filter {
    private final AccessClient decider;

    public AccessFilter(AccessClient decider) {
        this.decider = decider;
    }

    @Override
    public void doFilter(ServletRequest any, ServletResponse out, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) any;
        HttpServletResponse response = (HttpServletResponse) out;
        Principal user = request.getUserPrincipal();
        if (user == null) {
            response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
            return;
        }
        String path = request.getRequestURI();
        if (!path.equals(dispatched(request))) {
            // The container decodes paths and removes parameters: the path that is checked must be the path that is
            // served.
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "the path is ambiguous");
            return;
        }
        try {
            String verb = request.getMethod().toLowerCase(Locale.ROOT);
            Answer answer = decider.check(Access.path(verb, path).by(user.getName(), "system:authenticated"));
            if (answer.allowed()) {
                chain.doFilter(any, out);
            } else {
                response.sendError(HttpServletResponse.SC_FORBIDDEN, answer.reason());
            }
        } catch (UndecidedException e) {
            request.getServletContext().log("no decision: " + e.getMessage());
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    /** Returns the path by which the container chose the servlet. */
    private static String dispatched(HttpServletRequest request) {
        String rest = request.getPathInfo() == null ? "" : request.getPathInfo();
        return request.getContextPath() + request.getServletPath() + rest;
    }
}
