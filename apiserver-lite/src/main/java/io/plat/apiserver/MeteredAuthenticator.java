package io.plat.apiserver;

import io.plat.apiserver.metrics.AuthenticationMeters;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authenticator;
import io.plat.http.authentication.Credentials;

/** Authenticator that counts the results of another one. */
record MeteredAuthenticator(Authenticator authenticator, AuthenticationMeters meters) implements Authenticator {
    @Override
    public Authentication authenticate(Credentials credentials) {
        Authentication result = authenticator.authenticate(credentials);
        switch (result) {
            case Authentication.Authenticated authenticated ->
                meters.succeeded(authenticated.user().name());
            case Authentication.Refused _, Authentication.Undecided _ -> meters.refused();
            case Authentication.Absent _ -> meters.absent();
        }
        return result;
    }

    @Override
    public boolean waits(Credentials credentials) {
        return authenticator.waits(credentials);
    }
}
