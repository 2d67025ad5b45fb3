package io.plat.apiserver.authentication;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Authenticator of bearer tokens in a file ({@code --token-auth-file}). The file is reloaded when it changes; an invalid one is reported
 * and the last good one stays in use. Its tokens are valid for this server's audiences only.
 */
public final class TokenFileAuthenticator implements TokenAuthenticator, AutoCloseable {
    private final List<String> own;
    private final WatchedFiles<TokenTable> tokens;

    private TokenFileAuthenticator(List<String> audiences, WatchedFiles<TokenTable> tokens) {
        this.own = List.copyOf(audiences);
        this.tokens = tokens;
    }

    /**
     * Reads the file and starts watching it.
     *
     * @param audiences audiences of this server
     * @param reloaded notified of each reload and whether it succeeded
     * @throws ProblemsException with all problems, each with its line
     */
    public static TokenFileAuthenticator open(
            Path file, List<String> audiences, FileWatch.Settings settings, Consumer<Boolean> reloaded)
            throws ProblemsException {
        return new TokenFileAuthenticator(
                audiences,
                new WatchedFiles<>(
                        "token-auth-file",
                        List.of(file),
                        settings,
                        _ -> TokenTable.parse(file.toString(), SourceReader.readText(file)),
                        problem -> reloaded.accept(problem.isEmpty())));
    }

    @Override
    public Authentication authenticate(String token, List<String> audiences) {
        List<String> common = own.stream().filter(audiences::contains).toList();
        Optional<UserInfo> user =
                common.isEmpty() ? Optional.empty() : tokens.get().find(token);
        return user.<Authentication>map(proven -> new Authenticated(proven, common))
                .orElse(Absent.ABSENT);
    }

    @Override
    public void close() {
        tokens.close();
    }
}
