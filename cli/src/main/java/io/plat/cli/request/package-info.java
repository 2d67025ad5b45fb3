/**
 * Requests and sources of decisions: arguments become the attributes of a review, which a server or the engine in this process answers
 * ({@link io.plat.cli.request.DecisionSource}). A server's discovery is only used if a result depends on it; missing discovery is not a failure, as a
 * decider has none.
 */
@NullMarked
package io.plat.cli.request;

import org.jspecify.annotations.NullMarked;
