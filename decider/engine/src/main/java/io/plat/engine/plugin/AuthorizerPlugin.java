package io.plat.engine.plugin;

/**
 * An authorizer that a jar provides: given the attributes of a request, it allows or refuses (specification, "Authorizer plugins", 1).
 *
 * <p>A jar in the directory that {@code --authorization-plugin-dir} names lists its plug-in classes, one per line, in
 * {@code META-INF/services/io.plat.engine.plugin.AuthorizerPlugin}, as {@link java.util.ServiceLoader} expects. Each has a public constructor
 * without parameters. A server creates one instance at its start and uses it until it stops. If the constructor throws, the server does not
 * start.
 *
 * <p>It is called by many threads concurrently. It may block: it runs on dedicated threads, and delays only its own requests. It has three seconds to
 * answer, including the wait for one of 64 concurrent calls; then its thread is interrupted and the decision fails. A call that ignores the
 * interruption still counts as one of the 64; while such calls are all of them, every other decision fails at once.
 */
public interface AuthorizerPlugin {
    /**
     * Returns the name of the mode for {@code --authorization-mode}. Called once.
     *
     * @return letters, digits, {@code .}, {@code _} and {@code -}, a letter first, 63 at most; not the name of another mode
     */
    String name();

    /**
     * Decides one request. Decisions are not cached. A plug-in may cache itself, which delays the effect of a revocation.
     *
     * @param request the attributes of the request; may be retained
     * @return the decision; never null, which would be a failure
     * @throws Exception if it could not decide. Any throwable is a failure and never an allow: if no other mode allows the request, the response is
     * 500. The client learns the names of the plug-in and of the exception's class, and nothing else
     */
    PluginDecision authorize(RequestAttributes request) throws Exception;
}
