package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.review.source.ProblemsException;

/** Source of the authorizer of a mode that is not created from files: a remote decider, a plug-in, stored role objects. */
@FunctionalInterface
public interface AuthorizerSource {
    /**
     * Opens the authorizer. Called once; the authorizer is reused across reloads.
     *
     * @throws ProblemsException if a required file is invalid
     */
    Authorizer open() throws ProblemsException;
}
