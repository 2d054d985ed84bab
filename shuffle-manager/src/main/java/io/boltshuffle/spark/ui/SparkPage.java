package io.boltshuffle.spark.ui;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * Puts Spark's frame around a page. It uses reflection because the type of the method's first parameter and the number
 * of its parameters with defaults differ between Spark versions.
 */
final class SparkPage {
    private static final String FRAME = "headerSparkPage";
    private static final int WITHOUT_DEFAULT = 4;
    private static final Method METHOD = Arrays.stream(UIUtils.class.getMethods())
            .filter(method -> method.getName().equals(FRAME))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("boltshuffle was not made for this Spark: no " + FRAME));

    private SparkPage() {}

    /** @param html becomes part of the page as it is */
    static Seq<Node> of(Object request, String title, String html, SparkUITab tab) {
        Seq<Node> body =
                CollectionConverters.asScala(List.<Node>of(new Unparsed(html))).toList();
        Object[] arguments = new Object[METHOD.getParameterCount()];
        arguments[0] = request;
        arguments[1] = title;
        arguments[2] = (Function0<Seq<Node>>) () -> body;
        arguments[3] = tab;
        for (int index = WITHOUT_DEFAULT; index < arguments.length; index++) {
            arguments[index] = call(defaultOf(index));
        }
        return frame(arguments);
    }

    @SuppressWarnings("unchecked") // what the method returns in Scala
    private static Seq<Node> frame(Object[] arguments) {
        return (Seq<Node>) call(METHOD, arguments);
    }

    private static Method defaultOf(int index) {
        try {
            return UIUtils.class.getMethod(FRAME + "$default$" + (index + 1));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("boltshuffle was not made for this Spark", e);
        }
    }

    private static Object call(Method method, Object... arguments) {
        try {
            return method.invoke(null, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
