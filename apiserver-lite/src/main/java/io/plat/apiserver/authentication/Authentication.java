package io.plat.apiserver.authentication;

import io.plat.review.UserInfo;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** What an authenticator makes of a request's credentials. */
public sealed interface Authentication {
    /**
     * The credential proves this user.
     *
     * @param user name and groups; {@code system:authenticated} is added by {@link AuthenticatorUnion}
     * @param audiences for whom the credential is, of those that were asked about; empty for credentials without any
     */
    record Authenticated(UserInfo user, List<String> audiences) implements Authentication {
        public Authenticated {
            Objects.requireNonNull(user);
            audiences = List.copyOf(audiences);
        }

        /** A credential that is for nobody in particular. */
        public Authenticated(UserInfo user) {
            this(user, List.of());
        }
    }

    /**
     * There is a credential and it is not to be believed.
     *
     * @param reason one line for the server's log, without the credential; the client is told nothing but 401
     */
    record Refused(String reason) implements Authentication {
        public Refused {
            Objects.requireNonNull(reason);
        }
    }

    /**
     * There is a credential, and whether it is to be believed can't be found out now. It proves nobody, and is not called bad either.
     *
     * @param reason one line for the server's log, without the credential
     */
    record Undecided(String reason) implements Authentication {
        public Undecided {
            Objects.requireNonNull(reason);
        }
    }

    /**
     * The judgement of several as one: the first that proves a user decides. Where none does and one could not determine it, nobody can;
     * else the first refusal counts; absent where all are.
     *
     * @param members asked in this order
     * @param judgement the judgement of one of them
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

    /** The request carries no credential of this kind. */
    record Absent() implements Authentication {
        /** The only value that is needed. */
        public static final Absent ABSENT = new Absent();
    }
}
