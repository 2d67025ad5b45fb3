package io.plat.apiserver;

import io.plat.apiserver.metrics.AuthenticationMeters;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authenticator;
import io.plat.http.authentication.Credentials;

/** Authenticator that counts the results of another one. */
record MeteredAuthenticator(Authenticator authenticator, AuthenticationMeters meters) implements Authenticator {
    @Override
    public Authentication authenticate(Credentials credentials) {
        Authentication known = authenticator.authenticate(credentials);
        switch (known) {
            case Authentication.Authenticated proven ->
                meters.succeeded(proven.user().name());
            case Authentication.Refused _, Authentication.Undecided _ -> meters.refused();
            case Authentication.Absent _ -> meters.absent();
        }
        return known;
    }

    @Override
    public boolean waits(Credentials credentials) {
        return authenticator.waits(credentials);
    }
}
