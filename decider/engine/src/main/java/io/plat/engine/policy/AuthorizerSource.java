package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.review.source.ProblemsException;

/** Gives the authorizer of a mode that is not made here: a remote decider, a plug-in, role objects that live in a store. */
@FunctionalInterface
public interface AuthorizerSource {
    /**
     * Opens the authorizer. Called once; it stays in use through every reload.
     *
     * @throws ProblemsException if a file that it needs can't be used
     */
    Authorizer open() throws ProblemsException;
}
