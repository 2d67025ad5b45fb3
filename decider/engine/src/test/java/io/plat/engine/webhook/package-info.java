@NullMarked
package io.plat.engine.webhook;

import org.jspecify.annotations.NullMarked;
