package io.plat.http.authentication;

import io.plat.review.UserInfo;
import java.util.List;
import java.util.function.Function;

/** Result of authenticating a request. */
public sealed interface Authentication {
    /**
     * Authenticated user.
     *
     * @param user name and groups; {@code system:authenticated} is added by {@link AuthenticatorUnion}
     * @param audiences accepted audiences of the credential; empty for credentials without audiences
     */
    record Authenticated(UserInfo user, List<String> audiences) implements Authentication {
        public Authenticated {
            audiences = List.copyOf(audiences);
        }

        /** Creates the result for a credential without audiences. */
        public Authenticated(UserInfo user) {
            this(user, List.of());
        }
    }

    /**
     * Credential that is not valid.
     *
     * @param reason one line for the server's log, without the credential; the client receives only 401
     */
    record Refused(String reason) implements Authentication {}

    /**
     * Credential whose validity could not be determined. It authenticates nobody, and is not reported as invalid.
     *
     * @param reason one line for the server's log, without the credential
     */
    record Undecided(String reason) implements Authentication {}

    /**
     * Combines results: the first authenticated user wins. Otherwise the result is undecided if any was, else the first refusal; absent if all are.
     */
    static <M> Authentication first(List<M> members, Function<M, Authentication> judgement) {
        Authentication first = Absent.ABSENT;
        for (M member : members) {
            Authentication judged = judgement.apply(member);
            switch (judged) {
                case Authenticated proven -> {
                    return proven;
                }
                case Undecided undecided -> first = first instanceof Undecided ? first : undecided;
                case Refused refused -> first = first instanceof Absent ? refused : first;
                case Absent _ -> {}
            }
        }
        return first;
    }

    /** The request has no credential of this kind. */
    record Absent() implements Authentication {
        public static final Absent ABSENT = new Absent();
    }
}
