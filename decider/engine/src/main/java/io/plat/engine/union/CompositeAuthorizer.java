package io.plat.engine.union;

import java.util.List;

/** An authorizer that combines parts: it allows a request if any part does. */
public interface CompositeAuthorizer {
    /** Returns the current parts. */
    List<Member> parts();
}
