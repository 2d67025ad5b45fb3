/** Where an answer comes from: a server, or the engine of this very process. Commands see one interface. */
@NullMarked
package io.plat.cli.ask;

import org.jspecify.annotations.NullMarked;
