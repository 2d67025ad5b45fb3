@NullMarked
package io.plat.engine.matrix;

import org.jspecify.annotations.NullMarked;
