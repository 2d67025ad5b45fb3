package io.plat.tests.simulation;

import java.time.Duration;

/**
 * A fleet and what happens to it.
 *
 * @param servers how many ask
 * @param serverCores cores of each
 * @param deciders how many decide
 * @param deciderCores cores of each
 * @param questions different questions that come to one server
 * @param skew how much more often some of them come than others, the exponent of Zipf's law; 0 for all alike
 * @param remembered how long a server keeps an answer
 * @param parts into how many parts the policy is cut, each with revisions of its own; a change ends the answers of its part
 * @param changes changes of the policy a second
 * @param network the time of a message from one machine to another
 * @param followed the mean time of a change to each decider; half of it is the least
 * @param failures of deciders
 * @param costs of each step
 */
public record Scenario(
        int servers,
        int serverCores,
        int deciders,
        int deciderCores,
        int questions,
        double skew,
        Duration remembered,
        int parts,
        double changes,
        Duration network,
        Duration followed,
        Failures failures,
        Costs costs) {

    /**
     * Failures of deciders.
     *
     * @param every the mean time that one runs; zero for never
     * @param lasting the mean time until it is back
     * @param noticed how long a server takes to notice that a question is lost
     */
    public record Failures(Duration every, Duration lasting, Duration noticed) {
        /** All run for ever. */
        public static final Failures NONE = new Failures(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** The same with other deciders and changes. */
    public Scenario with(int otherDeciders, int otherParts, double otherChanges) {
        return new Scenario(
                servers,
                serverCores,
                otherDeciders,
                deciderCores,
                questions,
                skew,
                remembered,
                otherParts,
                otherChanges,
                network,
                followed,
                failures,
                costs);
    }

    /** The same with deciders that fail. */
    public Scenario with(Failures other) {
        return new Scenario(
                servers,
                serverCores,
                deciders,
                deciderCores,
                questions,
                skew,
                remembered,
                parts,
                changes,
                network,
                followed,
                other,
                costs);
    }
}
