package io.plat.engine.explain;

import io.plat.engine.Authorizer;
import java.util.List;

/** An authorizer that combines parts: it allows a request if any part does. */
public interface CompositeAuthorizer {
    /** Returns the current parts. */
    List<Part> parts();

    /**
     * A part.
     *
     * @param name its name in responses
     */
    record Part(String name, Authorizer authorizer) {}
}
