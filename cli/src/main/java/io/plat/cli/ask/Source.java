package io.plat.cli.ask;

import io.plat.cli.discovery.ServedTypes;
import io.plat.cli.question.FurtherTypes;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Trace;
import io.plat.engine.policy.PolicySet;

/** What is asked: policy files, or a server. */
public sealed interface Source {
    /** The namespace that is meant where a question names none. */
    String namespace();

    /** Resource types that are not built in. */
    FurtherTypes furtherTypes();

    /** Answers reviews from it. */
    Oracle oracle();

    /** Says what it decides by. */
    Explanations explanations();

    /**
     * Policy files.
     *
     * @param policy what they say
     * @param namespace the namespace that is meant where a question names none
     * @param trace is told what is asked and answered
     */
    record Files(PolicySet policy, String namespace, Trace trace) implements Source {
        @Override
        public FurtherTypes furtherTypes() {
            return FurtherTypes.NONE;
        }

        @Override
        public Oracle oracle() {
            return new PolicyOracle(policy.authorizer(), trace);
        }

        @Override
        public Explanations explanations() {
            return new PolicyExplanations(policy.authorizer());
        }
    }

    /**
     * A server: an API server or a decider.
     *
     * @param connection to it
     * @param namespace the namespace that is meant where a question names none
     */
    record Server(HttpsConnection connection, String namespace) implements Source {
        @Override
        public FurtherTypes furtherTypes() {
            return new ServedTypes(connection);
        }

        @Override
        public Oracle oracle() {
            return new ServerOracle(connection);
        }

        @Override
        public Explanations explanations() {
            return new ServerExplanations(connection);
        }
    }
}
