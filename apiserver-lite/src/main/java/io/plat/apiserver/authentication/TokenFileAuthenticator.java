package io.plat.apiserver.authentication;

import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bearer tokens listed in a file ({@code --token-auth-file}). The file is re-read when it changes; one that can't be used is
 * reported and the last good one stays. Its tokens are for this server and nobody else.
 */
public final class TokenFileAuthenticator implements TokenAuthenticator, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFileAuthenticator.class);

    private final Path file;
    private final List<String> own;
    private final ReloadObserver observer;
    private final FileWatch watch;
    private volatile TokenTable tokens = TokenTable.EMPTY;

    /** Hears what becomes of a changed file. */
    @FunctionalInterface
    public interface ReloadObserver {
        /**
         * The file was read again.
         *
         * @param used whether it could be used
         */
        void reloaded(boolean used);
    }

    private TokenFileAuthenticator(
            Path file, List<String> audiences, ReloadObserver observer, FileWatch.Settings settings) {
        this.file = file;
        this.own = List.copyOf(audiences);
        this.observer = observer;
        this.watch = FileWatch.of("token-auth-file", List.of(file), settings, changed -> reload());
    }

    /**
     * Reads the file and watches it from now on.
     *
     * @param audiences what this server calls itself
     * @throws ProblemsException everything that is wrong with it, with its lines
     */
    public static TokenFileAuthenticator open(Path file, List<String> audiences, ReloadObserver observer)
            throws ProblemsException {
        return open(file, audiences, observer, FileWatch.Settings.DEFAULT);
    }

    static TokenFileAuthenticator open(
            Path file, List<String> audiences, ReloadObserver observer, FileWatch.Settings settings)
            throws ProblemsException {
        TokenFileAuthenticator authenticator = new TokenFileAuthenticator(file, audiences, observer, settings);
        try {
            authenticator.tokens = read(file);
        } catch (ProblemsException e) {
            authenticator.close();
            throw e;
        }
        authenticator.watch.start();
        return authenticator;
    }

    private void reload() {
        try {
            tokens = read(file);
            LOG.info("{}: reloaded, {} tokens", file, tokens.size());
            observer.reloaded(true);
        } catch (ProblemsException e) {
            LOG.warn("the changed token file can't be used, the last good one stays in use: {}", e.getMessage());
            observer.reloaded(false);
        }
    }

    private static TokenTable read(Path file) throws ProblemsException {
        return TokenTable.parse(file.toString(), SourceReader.readText(file));
    }

    @Override
    public Authentication authenticate(String token, List<String> audiences) {
        List<String> common = own.stream().filter(audiences::contains).toList();
        Optional<UserInfo> user = common.isEmpty() ? Optional.empty() : tokens.find(token);
        return user.<Authentication>map(proven -> new Authenticated(proven, common))
                .orElse(Absent.ABSENT);
    }

    /** Stops watching the file. */
    @Override
    public void close() {
        watch.close();
    }
}
