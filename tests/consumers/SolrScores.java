// Scores documents with the model classes of Solr's LTR module: SolrScores MODEL.json VALUES.txt, where each
// line of VALUES.txt has the features of one document in the model's order. Prints one score per line.
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.solr.common.util.Utils;
import org.apache.solr.core.SolrResourceLoader;
import org.apache.solr.ltr.feature.Feature;
import org.apache.solr.ltr.feature.ValueFeature;
import org.apache.solr.ltr.model.LTRScoringModel;
import org.apache.solr.ltr.norm.IdentityNormalizer;
import org.apache.solr.ltr.norm.Normalizer;

public class SolrScores {
  @SuppressWarnings("unchecked")
  static LTRScoringModel load(Path file, SolrResourceLoader loader) throws Exception {
    Map<String, Object> json = (Map<String, Object>) Utils.fromJSON(Files.readAllBytes(file));
    List<Feature> features = new ArrayList<>();
    List<Normalizer> norms = new ArrayList<>();
    for (Map<String, Object> described : (List<Map<String, Object>>) json.get("features")) {
      Feature feature = Feature.getInstance(loader, ValueFeature.class.getName(),
          (String) described.get("name"), Map.of("value", 0.0));
      feature.setIndex(features.size());
      features.add(feature);
      Map<String, Object> norm = (Map<String, Object>) described.get("norm");
      norms.add(norm == null ? IdentityNormalizer.INSTANCE
          : Normalizer.getInstance(loader, (String) norm.get("class"),
              (Map<String, Object>) norm.get("params")));
    }
    return LTRScoringModel.getInstance(loader, (String) json.get("class"), (String) json.get("name"),
        features, norms, "_DEFAULT_", features, (Map<String, Object>) json.get("params"));
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Files.createTempDirectory("solr");
    try (SolrResourceLoader loader = new SolrResourceLoader(home)) {
      LTRScoringModel model = load(Paths.get(arguments[0]), loader);
      StringBuilder out = new StringBuilder();
      for (String line : Files.readAllLines(Paths.get(arguments[1]))) {
        String[] words = line.trim().split(" ");
        float[] values = new float[words.length];
        for (int i = 0; i < words.length; ++i) values[i] = Float.parseFloat(words[i]);
        model.normalizeFeaturesInPlace(values);
        out.append(model.score(values)).append('\n');
      }
      System.out.print(out);
    }
  }
}
