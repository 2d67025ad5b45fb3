package io.plat.apiserver;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.time.Duration;
import java.util.Map;

/** The {@code apiserver-lite migrate} command: copies everything in one store to another. */
final class MigrateTool implements ToolProgram {
    static final String NAME = "migrate";

    private final FlagSet flags;
    private final StoreLocation from;
    private final StoreLocation to;
    private final Flag<Duration> eventLifetime;
    private final Flag<Boolean> force;

    MigrateTool(String version) {
        flags = FlagSet.of(MigrateTool.class, NAME, version);
        from = new StoreLocation(flags, "from-");
        to = new StoreLocation(flags, "to-");
        eventLifetime = StorageFlags.eventLifetime(flags);
        force = flags.toggle("force");
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        Map<String, Duration> lifetimes = StorageFactory.lifetimes(values.get(eventLifetime));
        boolean ages = !values.isSet(to.directory());
        boolean replaces = values.get(force);
        RestoredAccess.Replacement move = () -> new StoreTransfer(
                        NAME,
                        () -> from.contents(values, ages ? lifetimes : Map.of()),
                        from.named(values),
                        StoreTransfer.Terminal.ofProcess())
                .copyTo(to.destination(values, replaces, lifetimes), 0);
        return replaces ? RestoredAccess.listed(() -> to.onlineContents(values), move) : move.run();
    }
}
