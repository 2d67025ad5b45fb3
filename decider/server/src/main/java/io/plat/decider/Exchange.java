package io.plat.decider;

import io.plat.http.InFlightPlaces;
import io.plat.http.StatusResponses;
import io.plat.review.status.Status;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The exchange of HTTP that a question is a part of.
 *
 * @param place its place among those in flight
 */
record Exchange(Request request, Response response, Callback callback, InFlightPlaces.Place place) {
    /** Sends a Status. A client that does not read it does not hold its place in flight. */
    void refuse(Status status) {
        place.leave();
        StatusResponses.answer(request, response, callback, status);
    }

    /** Answers for a thread that has no caller that could do so in its place. */
    void fail(RuntimeException bug) {
        Response.writeError(request, response, callback, bug);
    }
}
