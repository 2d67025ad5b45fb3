package io.plat.engine.plugin;

/**
 * An authorizer that a jar provides: given the attributes of a request, it allows or refuses (specification, "Authorizer plugins", 1).
 *
 * <p>A jar in the folder that {@code --authorization-plugin-dir} names lists its plug-in classes, one per line, in
 * {@code META-INF/services/io.plat.engine.plugin.AuthorizerPlugin}, as {@link java.util.ServiceLoader} expects. Each has a public constructor
 * without parameters. A server creates one instance at its start and uses it until it stops. If the constructor throws, the server does not
 * start.
 *
 * <p>It is called by any number of threads at the same time. It may block: it runs on threads of its own, and nobody else waits for it but those
 * who asked. It has three seconds to answer, the wait for its turn included, as no more than 64 calls run at a time; then its thread is
 * interrupted and the decision has failed. A call that does not heed the interruption keeps its place among the 64; while such calls hold them
 * all, every further decision fails at once.
 */
public interface AuthorizerPlugin {
    /**
     * The name by which {@code --authorization-mode} selects it. Called once.
     *
     * @return letters, digits, {@code .}, {@code _} and {@code -}, a letter first, 63 at most; not the name of another mode
     */
    String name();

    /**
     * Decides one request. Decisions are not cached: a plug-in that calls a remote service may do so itself, and weighs that against the delay
     * until a revocation takes effect.
     *
     * @param request the attributes of the request; may be retained
     * @return the decision; never null, which would be a failure
     * @throws Exception if it could not decide. Anything that is thrown, an error too, is a failure and never an allow: if no other mode allows
     *     the request, the response is 500. The client learns the names of the plug-in and of the exception's class, and nothing else
     */
    PluginDecision authorize(RequestAttributes request) throws Exception;
}
