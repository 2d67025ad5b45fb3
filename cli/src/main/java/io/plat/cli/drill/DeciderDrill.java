package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests to a decider that must not be allowed: from unknown clients, and with malformed bodies and headers. */
final class DeciderDrill {
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: ([a-z_]+)");

    private final DrillTarget peer;

    /** A user without any grants. */
    private final String user = "drill-" + UUID.randomUUID();

    DeciderDrill(DrillTarget peer) {
        this.peer = peer;
    }

    /**
     * Runs the drill.
     *
     * @param each called after each fault
     * @throws CommandException if the decider's responses before or after are inconclusive
     */
    List<Outcome> run(Runnable each) {
        control("before the faults");
        List<Outcome> outcomes = new ArrayList<>();
        for (DeciderFault fault : DeciderFault.all()) {
            outcomes.add(outcome(fault));
            each.run();
        }
        control("after the faults");
        return outcomes;
    }

    private Outcome outcome(DeciderFault fault) {
        try {
            RawResponse answer = fault.sending().send(peer, user);
            boolean open = fault.identity() ? answer.succeeded() : answer.allows();
            return new Outcome(fault.name(), open, answer.summary());
        } catch (IOException e) {
            return new Outcome(fault.name(), false, words(e));
        }
    }

    private static String words(IOException failure) {
        if (failure instanceof SocketTimeoutException) {
            return "no answer in time";
        }
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        Matcher alert = ALERT.matcher(message);
        return alert.find() ? "TLS alert " + alert.group(1) : message;
    }

    private void control(String when) {
        RawResponse answer;
        try {
            answer = DeciderFault.post(peer.connect(), peer, DeciderFault.question(user), "");
        } catch (IOException e) {
            throw CommandException.undetermined(
                    when + " " + peer.url() + " does not answer a review that is in order: " + words(e));
        }
        if (answer.allows()) {
            throw CommandException.undetermined(
                    peer.url() + " allows every user everything, so that the drill is inconclusive");
        }
        if (!answer.succeeded()) {
            throw CommandException.undetermined(
                    when + " " + peer.url() + " refuses a review that is in order: " + answer.firstLine());
        }
    }
}
